// What a report writes: markup from any text, and charts by gnuplot.

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>

#include "output/field_files.hpp"
#include "quoin/error.hpp"
#include "quoin/report.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/results.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* hostile = "</title><script>alert('1')</script>\" `id` $x @y \\ {/:Bold z} \n set output '/x'";

TEST(ReportHtml, EscapesWhatComesFromFiles) {
  EXPECT_EQ(html::escaped("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(html::escaped("µs ∞ 𝄞\n"), "µs ∞ 𝄞\n");
  // Control characters, bytes that are no UTF-8, an overlong form, a surrogate, a cut character.
  EXPECT_EQ(html::escaped(std::string("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(html::escaped("\x80\xff"), "\uFFFD\uFFFD");
  EXPECT_EQ(html::escaped("\xc0\xaf"), "\uFFFD\uFFFD");
  EXPECT_EQ(html::escaped("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(html::escaped("\xe2\x82"), "\uFFFD\uFFFD");
}

TEST(ReportHtml, NumbersKeepAllTheirDigits) {
  EXPECT_EQ(html::value(Json(1.0 / 3.0), "s"), "<data value=\"0.3333333333333333\">0.33333</data>&nbsp;s");
  EXPECT_EQ(html::value(Json(123456789)), "<data value=\"123456789\">123456789</data>");
  EXPECT_EQ(html::value(Json("<b>")), "&lt;b&gt;");
  EXPECT_EQ(html::value(Json()), "not known");
  EXPECT_EQ(html::value(Json{{"a", "<"}}), "{&quot;a&quot;:&quot;&lt;&quot;}");
}

TEST(ReportHtml, APageOfHostileTextsHasNoElementOfTheirs) {
  const std::string page = html::page(
      hostile, 5,
      html::section(hostile, hostile, html::note(hostile)) + html::details(hostile, html::long_text(hostile)) +
          html::table(hostile, {hostile}, {{html::value(Json(hostile))}}) + html::figure(hostile, hostile, hostile));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), HasSubstr("&lt;script&gt;"), HasSubstr("http-equiv=\"refresh\"")));
  EXPECT_THAT(html::page("x", 0, ""), Not(HasSubstr("refresh")));
}

/// Nothing in it can end its element, and the script gets it back as it was.
TEST(ReportHtml, DataStayWithinTheirElement) {
  const Json json{{"name", std::string(hostile) + "<!--\xff"}, {"values", html::numbers({1.0F, -0.5F})}};
  const std::string text = html::data("d", json);
  const std::size_t start = text.find('>') + 1;
  const std::size_t end = text.find("</script>\n");
  ASSERT_EQ(end + 10, text.size());
  EXPECT_THAT(text.substr(start, end - start), Not(HasSubstr("<")));
  const Json back = Json::parse(text.substr(start, end - start));
  EXPECT_EQ(back["name"], std::string(hostile) + "<!--\uFFFD");
  EXPECT_EQ(back["values"], "AACAPwAAAL8=");
  EXPECT_THAT(html::page("x", 0, text), HasSubstr("<script>\n"));
}

TEST(ReportResults, WhatIsOfAnotherTypeIsAbsent) {
  const Json json = Json::parse(R"({"a": {"b": 1.5}, "c": "text", "d": [1], "e": null})");
  EXPECT_EQ(number_at(json, "/a/b"), 1.5);
  EXPECT_EQ(text_at(json, "/c"), "text");
  for (const char* path : {"/a", "/c", "/d", "/e", "/absent", "/c/b", "/d/b", "/e/b"})
    EXPECT_FALSE(number_at(json, path)) << path;
  for (const Json& other : {Json(), Json(1), Json("x"), Json::array()}) {
    EXPECT_FALSE(number_at(other, "/a")) << other;
    EXPECT_EQ(text_at(other, "/a"), "");
    EXPECT_TRUE(list_at(other, "a").empty());
  }
}

TEST(ReportGnuplot, QuotesLeaveNothingToSubstitute) {
  EXPECT_EQ(quoted("it's"), "'it''s'");
  EXPECT_EQ(quoted("a\nb\tc\x01"), "'a b c '");
  EXPECT_EQ(quoted("0123456789", 4), "'0123…'");
  EXPECT_EQ(quoted("µµµµ", 4), "'µµµµ'");
}

/// Text on the chart, element by element, with the hostile one in the place of every name.
TEST(ReportCharts, HostileNamesAreOnlyText) {
  Gnuplot gnuplot;
  Curve curve;
  for (int k = 1; k < 50; ++k) curve.add(k, 1.0 / k);
  Raster raster = raster_of(0, 1, 0, 1);
  raster.values.assign(raster.columns * raster.rows, 1.0F);
  const std::vector<std::optional<Chart>> charts{
      residual_chart(curve, hostile, 0.01),
      change_chart(curve, hostile, hostile, 1.0),
      bar_chart({{hostile, 1.0}, {"plain", 2.0}}, hostile),
      roofline_chart({{hostile, 0.1, 2.0}, {"plain", 10.0, 1.0}}, {20.0, 18.0, 40.0}),
      curves_chart({{hostile, curve.samples()}, {"plain", curve.samples()}}, hostile, hostile),
      convergence_chart({{hostile, {1.0, 0.25, 0.0625}}}, 2.0),
      picture_chart(hostile, raster, false),
      picture_chart(hostile, raster, true)};
  for (const std::optional<Chart>& chart : charts) {
    ASSERT_TRUE(chart);
    const auto svg = gnuplot.draw(*chart);
    ASSERT_TRUE(svg) << gnuplot.fault() << "\n" << chart->script;
    EXPECT_THAT(*svg, AllOf(HasSubstr("&lt;/title"), Not(HasSubstr("<script")), Not(HasSubstr("uid="))));
    EXPECT_NE(chart->says.empty(), chart->image.empty()) << "the caption of a picture has its figures";
  }
}

TEST(ReportCharts, SayTheirFigures) {
  Curve curve;
  for (int k = 0; k < 3; ++k) curve.add(k, 1.0 - 0.25 * k);
  const auto says = [](const std::optional<Chart>& chart) { return chart.value().says; };
  EXPECT_EQ(says(residual_chart(curve, "x", 0.6)), "It goes from 1 at 0 to 0.5 at 2; the tolerance is 0.6");
  EXPECT_EQ(says(bar_chart({{"a", 1.0}, {"b", 0.25}}, "seconds")), "seconds: a 1; b 0.25; ");
  EXPECT_EQ(says(curves_chart({{"t = 0", curve.samples()}}, "x", "u")),
            "t = 0: from 1 at 0 to 0.5 at 2, least 0.5 at 2, greatest 1 at 0; ");
  EXPECT_EQ(says(convergence_chart({{"L2", {1.0, 0.25}}}, {})), "L2: 1 0.25; ");
  EXPECT_EQ(says(roofline_chart({{"a", 0.5, 2.0}}, {1.0, 1.0, 1.0})), "a: 2 GFLOP/s at 0.5 FLOP a byte; ");
}

/// As beside a hole of the domain, over which no line goes.
TEST(ReportCharts, ACurveIsBrokenWhereItIsNotFinite) {
  const std::optional<Chart> chart = curves_chart({{"a", {{0, 1}, {1, NAN}, {2, 3}, {3, INFINITY}}}}, "x", "u");
  ASSERT_TRUE(chart);
  EXPECT_THAT(chart->script, HasSubstr("<< EOD\n0 1\n\n2 3\n\nEOD"));
  EXPECT_EQ(chart->says, "a: from 1 at 0 to 3 at 2, least 1 at 0, greatest 3 at 2; ");
  EXPECT_TRUE(Gnuplot().draw(*chart));
  EXPECT_FALSE(curves_chart({{"a", {{0, NAN}, {1, NAN}}}}, "x", "u"));
}

/// Where a script is to paint is where gnuplot has painted.
TEST(ReportCharts, APictureIsWhereItsBoxIs) {
  Gnuplot gnuplot;
  for (const double height : {0.01, 0.5, 1.0, 2.0, 1e6}) {
    Raster raster = raster_of(0, 1, 0, height);
    raster.values.assign(raster.columns * raster.rows, 1.0F);
    const std::optional<Chart> chart = picture_chart("u", raster, false);
    ASSERT_TRUE(chart);
    const std::string svg = gnuplot.draw(*chart).value();
    const std::size_t at = svg.find("<image");
    double x = 0, y = 0, width = 0, tall = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + at, "<image x='%lf' y='%lf' width='%lf' height='%lf'", &x, &y, &width, &tall),
              4)
        << svg.substr(at, 200);
    EXPECT_NEAR(x, chart->box->left, 1.5);
    EXPECT_NEAR(y, chart->box->top, 1.5);
    EXPECT_NEAR(width, chart->box->width, 2.0);
    EXPECT_NEAR(tall, chart->box->height, 2.0);
  }
}

TEST(ReportCharts, OfNothingThereAreNone) {
  Curve zeros;
  zeros.add(0, 0.0);
  zeros.add(1, 0.0);
  EXPECT_FALSE(residual_chart(zeros, "x", {}));
  EXPECT_FALSE(residual_chart({}, "x", 1e-3));
  EXPECT_FALSE(change_chart({}, "x", "y", 0.0));
  EXPECT_FALSE(bar_chart({}, "x"));
  EXPECT_FALSE(bar_chart({{"a", 0.0}}, "x"));
  EXPECT_FALSE(roofline_chart({{"a", 0.0, 1.0}, {"b", 1.0, INFINITY}}, {1.0, 1.0, 1.0}));
  EXPECT_FALSE(convergence_chart({{"L2", {1.0}}}, {}));
  Raster raster = raster_of(0, 1, 0, 1);
  raster.values.assign(raster.columns * raster.rows, NAN);
  EXPECT_FALSE(picture_chart("u", raster, false));
}

/// Values at the ends of what numbers can be must not make gnuplot fail.
TEST(ReportCharts, OddNumbersAreDrawn) {
  Gnuplot gnuplot;
  Curve constant, wild;
  for (int k = 0; k < 5; ++k) {
    constant.add(k, 3.0);
    wild.add(k, k % 2 == 0 ? 1e-300 : 1e300);
  }
  std::vector<std::optional<Chart>> charts{residual_chart(constant, "x", 3.0),
                                           change_chart(constant, "x", "y", 3.0),
                                           residual_chart(wild, "x", {}),
                                           change_chart(wild, "x", "y", 0.0),
                                           roofline_chart({{"a", 1e-9, 1e9}}, {}),
                                           roofline_chart({{"a", 1e-9, 1e9}}, {0.0, 0.0, 1e-3}),
                                           curves_chart({{"a", constant.samples()}, {"b", wild.samples()}}, "x", "y")};
  for (const float value : {0.0F, 1e-38F, -3e38F}) {
    for (const double extent : {1e-12, 1e12}) {
      Raster raster = raster_of(0, extent, 0, 0.1 * extent);
      raster.values.assign(raster.columns * raster.rows, value);
      for (const bool error : {false, true}) charts.push_back(picture_chart("u", raster, error));
    }
  }
  for (const std::optional<Chart>& chart : charts) {
    ASSERT_TRUE(chart);
    EXPECT_TRUE(gnuplot.draw(*chart)) << gnuplot.fault() << "\n" << chart->script.substr(0, 2000);
  }
}

TEST(ReportGnuplot, AScriptThatFailsIsTold) {
  Gnuplot gnuplot;
  EXPECT_FALSE(gnuplot.draw({"plot nonsense\n"}));
  EXPECT_THAT(gnuplot.fault(), HasSubstr("nonsense"));
  EXPECT_FALSE(gnuplot.absent());
  EXPECT_TRUE(gnuplot.draw({"plot x\n"})) << "the next one is drawn again";
}

TEST(ReportGnuplot, WithoutTheProgramNothingIsDrawn) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  Gnuplot gnuplot;
  EXPECT_FALSE(gnuplot.draw({"plot x\n"}));
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(gnuplot.absent());
  EXPECT_THAT(gnuplot.fault(), HasSubstr("cannot be started"));
}

TEST(WriteReport, NeedsAFolderWithResults) {
  const test::TemporaryFolder folder;
  const auto objection = [&](const std::filesystem::path& path) -> std::string {
    try {
      (void)write_report(path, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(objection(folder.path / "absent"), HasSubstr("no such folder"));
  EXPECT_THAT(objection(folder.path), HasSubstr("holds no result"));
  std::filesystem::create_directories(folder.path / "level-0");
  test::write_text(folder.path / "level-0/case.yaml", "problem: {}\n");
  EXPECT_THAT(objection(folder.path), HasSubstr("level-0"));
  EXPECT_FALSE(std::filesystem::exists(folder.path / "report.html"));
}

TEST(WriteReport, OfARunThatGoesOnShowsItsNewestFrameAndReloads) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path / "run";
  const std::filesystem::path page = path / "report.html";
  {
    ResultFolder held(path, false);  // as long as the run goes on
    held.write_whole("case.yaml", {"problem: {type: jacobi, grid: {nodes: [1, 1]}}\n"});
    held.write_whole("summary.json", {R"({"status": "running", "exit_code": null, "iterations": 1, "device": "a GPU",)"
                                      R"( "versions": {"device": "GPU <9.0>", "device_driver": "driver 4.5"}})"});
    held.write_whole("history.csv", {"step,time,mass\n0,0,1\n10,0.5,1.5\n20,1,"});
    ElementFields frame{.level = "cells", .step = 10, .time = 0.5};
    frame.shapes = {CellShape::triangle};
    frame.nodes = {{0, 0}, {1, 0}, {0, 1}};
    frame.fields = {{"h", {1, 2, 3}}};
    FieldFiles(held, true).elements(frame);
    EXPECT_TRUE(write_report(path, {{}, 7}));
    EXPECT_THAT(test::text_of(page),
                AllOf(HasSubstr("data-status=\"running\""), HasSubstr("content=\"7\""), HasSubstr("h at t = 0.5"),
                      HasSubstr("<data value=\"1.5\">"), HasSubstr("a GPU"), HasSubstr("GPU &lt;9.0&gt;"),
                      HasSubstr("driver 4.5"), HasSubstr("so far")));
    EXPECT_TRUE(write_report(path, {}));
    EXPECT_THAT(test::text_of(page), Not(HasSubstr("refresh")));
  }
  EXPECT_FALSE(write_report(path, {{}, 7}));
  EXPECT_THAT(test::text_of(page), AllOf(HasSubstr("data-status=\"killed\""), Not(HasSubstr("refresh"))));
}

/// Fields of values that have no colour or hardly one, with names that are markup.
TEST(WriteReport, OfOddFields) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path / "run";
  const std::vector<std::string> names{"<b>&amp;\"'`id` <script>a", "constant", "huge", "none", "some", "tiny"};
  {
    ResultFolder held(path, false);
    held.write_whole("case.yaml", {"problem: {type: jacobi, grid: {nodes: [1, 1]}}\n"});
    held.write_whole("summary.json", {R"({"status": "completed"})"});
    for (int k = 0; k < 2; ++k) {
      ElementFields frame{.level = "cells", .step = k, .time = 0.5 * k};
      frame.shapes = {CellShape::triangle, CellShape::triangle};
      frame.nodes = {{0, 0}, {1e-3, 0}, {0, 1e3}, {1e-3, 0}, {1e-3, 1e3}, {0, 1e3}};
      frame.fields = {{names[0], {1, 2, 3, 2, 4, 3}},
                      {names[1], {7, 7, 7, 7, 7, 7}},
                      {names[2], {1e300, -1e300, 1e300, 1, 2, 3}},
                      {names[3], {NAN, NAN, NAN, INFINITY, INFINITY, INFINITY}},
                      {names[4], {NAN, NAN, NAN, 1, INFINITY, 2}},
                      {names[5], {1e-300, 2e-300, 1e-300, 1e-300, 2e-300, 1e-300}}};
      FieldFiles(held, true).elements(frame);
    }
  }
  EXPECT_FALSE(write_report(path, {}));
  const std::string page = test::text_of(path / "report.html");
  EXPECT_THAT(page, AllOf(Not(HasSubstr("cannot be shown")), Not(HasSubstr("not drawn")), Not(HasSubstr("<script>a")),
                          HasSubstr("none: no value is finite"), HasSubstr("constant at t = 0.5: from 7 to 7")));
  const std::string open = "<script type=\"application/json\" id=\"field-data\">";
  const std::size_t start = page.find(open) + open.size();
  const Json data = Json::parse(page.substr(start, page.find("</script>", start) - start));
  EXPECT_EQ(data["fields"], Json(names));
  EXPECT_EQ(data["frames"].size(), 2U);
  for (const Json& range : data["ranges"]) {
    ASSERT_TRUE(range[0].is_number() && range[1].is_number()) << range;
    EXPECT_LT(range[0].get<double>(), range[1].get<double>());
  }
}

/// Whatever lies in the files, there is a page.
TEST(WriteReport, OfFilesThatAreBrokenTellsWhatItCan) {
  const test::TemporaryFolder folder;
  const auto in_folder = [&](const char* name, const std::string& text) { test::write_text(folder.path / name, text); };
  in_folder("case.yaml", std::string("problem: [\n") + hostile);
  for (const char* summary :
       {"", "[]", "{\"status\": 3}", "{\"status\": \"<i>odd</i>\", \"kernels\": [1, {\"name\": 2}]}",
        "{\"status\": \"failed\", \"message\": \"<b>\", \"versions\": {\"a\": [\"<\"]}, \"errors\": 1}"}) {
    in_folder("summary.json", summary);
    in_folder("history.csv", "");
    in_folder("timing.csv", "iteration\n1\n");
    in_folder("run.log", "x error: <script>\n");
    in_folder("cells-000001.h5", "no HDF5");
    EXPECT_FALSE(write_report(folder.path, {})) << summary;
    const std::string page = test::text_of(folder.path / "report.html");
    EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<i>odd")), HasSubstr("</html>"))) << summary;
  }
  for (const char* study :
       {"{}", "{\"levels\": 7}", "{\"levels\": [1, {\"errors\": []}, {\"changes\": {\"<b>\": 1}}]}"}) {
    in_folder("converge.json", study);
    EXPECT_FALSE(write_report(folder.path, {})) << study;
    EXPECT_THAT(test::text_of(folder.path / "report.html"), HasSubstr("Convergence"));
  }
}

}  // namespace
}  // namespace quoin
