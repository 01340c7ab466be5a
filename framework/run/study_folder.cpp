#include "output/names.hpp"
#include "output/result_folder.hpp"
#include "quoin/run.hpp"

namespace quoin {

StudyFolder::StudyFolder(const std::filesystem::path& path, bool force) {
  const std::vector<std::string> names(study_names.begin(), study_names.end());
  ResultFolder::check(path, force, names);
  folder_ = std::make_unique<ResultFolder>(path, force);
}

StudyFolder::StudyFolder(std::unique_ptr<ResultFolder> folder) : folder_(std::move(folder)) {}

StudyFolder StudyFolder::of_earlier_study(const std::filesystem::path& path) {
  // NOLINTNEXTLINE(modernize-make-unique): it cannot be moved
  return StudyFolder(std::unique_ptr<ResultFolder>(new ResultFolder(ResultFolder::of_earlier_run(path))));
}

StudyFolder::~StudyFolder() = default;

void StudyFolder::write(const std::string& name, std::string_view text) { folder_->write_whole(name, {text}); }

}  // namespace quoin
