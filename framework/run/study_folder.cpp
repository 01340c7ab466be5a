#include "output/result_folder.hpp"
#include "quoin/run.hpp"

namespace quoin {

StudyFolder::StudyFolder(const std::filesystem::path& path, bool force)
    : folder_(std::make_unique<ResultFolder>(path, force)) {}

StudyFolder::~StudyFolder() = default;

void StudyFolder::write(const std::string& name, std::string_view text) { folder_->write_whole(name, {text}); }

}  // namespace quoin
