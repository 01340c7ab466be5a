#include "sweep/variation.hpp"

#include <gmock/gmock.h>

#include <set>

#include "commands.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::Throws;

auto refused(const std::string& words) {
  return Throws<Error>(AllOf(Property(&Error::kind, ErrorKind::usage), Property(&Error::what, HasSubstr(words))));
}

std::vector<Setting> settings_of(const std::vector<std::string>& texts, bool zip = false) {
  return settings_of(variations_of(texts), zip);
}

std::vector<std::string> names_of(const std::vector<std::string>& texts, bool zip = false) {
  const std::vector<Variation> variations = variations_of(texts);
  return folder_names(variations, settings_of(variations, zip));
}

TEST(SplitList, SplitsAtCommasThatNothingEncloses) {
  EXPECT_THAT(split_list("1,2,3"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(split_list(" 1 , 2x 3 "), ElementsAre("1", "2x 3"));
  EXPECT_THAT(split_list("[10,10],[20, 20]"), ElementsAre("[10,10]", "[20, 20]"));
  EXPECT_THAT(split_list("{a: [1,2], b: 3},serial"), ElementsAre("{a: [1,2], b: 3}", "serial"));
  EXPECT_THAT(split_list("min(x,y),y"), ElementsAre("min(x,y)", "y"));
  EXPECT_THAT(split_list(R"("a,b",'c,d',e)"), ElementsAre(R"("a,b")", "'c,d'", "e"));
  EXPECT_THAT(split_list(R"("a\",b",c)"), ElementsAre(R"("a\",b")", "c"));
  EXPECT_THAT(split_list("'it''s, so',b"), ElementsAre("'it''s, so'", "b"));
  EXPECT_THAT(split_list("it's,b's"), ElementsAre("it's", "b's"));  // as YAML has it
  EXPECT_THAT(split_list("{a: 'x,]'},b"), ElementsAre("{a: 'x,]'}", "b"));
  EXPECT_THAT(split_list(""), ElementsAre(""));
  EXPECT_THAT(split_list(",a"), ElementsAre("", "a"));
}

TEST(Variations, KeepKeysAndValuesAsTheyStand) {
  const std::vector<Variation> all = variations_of({R"(a."b=c".d=1,2)", "e=x=1,x=2"});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].key, R"(a."b=c".d)");
  EXPECT_THAT(all[0].values, ElementsAre("1", "2"));
  EXPECT_THAT(all[1].values, ElementsAre("x=1", "x=2"));
}

TEST(Variations, RefuseWhatWouldComeTwiceOrIsEmpty) {
  EXPECT_THAT([] { variations_of({"a=1,,2"}); }, refused("a has an empty value: '1,,2'"));
  EXPECT_THAT([] { variations_of({"a="}); }, refused("a has an empty value"));
  EXPECT_THAT([] { variations_of({"a=1,2,1"}); }, refused("a has the value 1 twice"));
  EXPECT_THAT([] { variations_of({"a=1", "b=2", "a=3"}); }, refused("a is given twice"));
}

TEST(Settings, AreEveryCombinationTheLastKeyFastest) {
  EXPECT_THAT(settings_of({"a=1,2", "b=x,y"}),
              ElementsAre(ElementsAre("1", "x"), ElementsAre("1", "y"), ElementsAre("2", "x"), ElementsAre("2", "y")));
  EXPECT_THAT(settings_of({"a=1"}), ElementsAre(ElementsAre("1")));
}

TEST(Settings, ArePairsWhereValuesAreZipped) {
  EXPECT_THAT(settings_of({"a=1,2", "b=x,y"}, true), ElementsAre(ElementsAre("1", "x"), ElementsAre("2", "y")));
  EXPECT_THAT(
      [] {
        settings_of({"a.k=1,2", "b=1,2", "c.m=1,2,3"}, true);
      },
      refused("a.k has 2 values and c.m has 3: --zip needs as many of each"));
}

TEST(Settings, AreNotMoreThanAnybodyWants) {
  std::vector<std::string> texts;
  for (const char key : {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}) texts.push_back(std::string(1, key) + "=1,2,3,4,5");
  EXPECT_THAT([&] { settings_of(texts); }, refused("more than 10000 members"));
  texts.resize(5);
  EXPECT_THAT(settings_of(texts), SizeIs(3125));
}

TEST(FolderNames, SayTheValues) {
  EXPECT_THAT(names_of({"method.order=1,2", "problem.mesh.cells=[20, 20]"}),
              ElementsAre("order=1,cells=20x20", "order=2,cells=20x20"));
  EXPECT_THAT(names_of({"a.n=1", "b.n=1"}), ElementsAre("a.n=1,b.n=1"));
  EXPECT_THAT(names_of({"backend={name: openmp},hip:1"}), ElementsAre("backend=name_openmp", "backend=hip_1"));
}

TEST(FolderNames, AreFilesBesideEachOther) {
  const std::vector<std::string> names =
      names_of({R"(s.f=x+y,x*y,x/y,"../up","a b","..",'A B','ab','\',é)",
                "s.t=" + std::string(300, 'x') + "1," + std::string(300, 'x') + "2"});
  std::set<std::string> different;
  for (std::string name : names) {
    EXPECT_EQ(name.find_first_of("/\\ *?\"'<>|:;&$\n"), std::string::npos) << name;
    EXPECT_LE(name.size(), 120U);
    EXPECT_THAT(name, StartsWith("f="));
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    different.insert(name);
  }
  EXPECT_EQ(different.size(), names.size());
}

}  // namespace
}  // namespace quoin
