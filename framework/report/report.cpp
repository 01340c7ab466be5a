#include "quoin/report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "output/names.hpp"
#include "output/result_folder.hpp"
#include "output/written_files.hpp"
#include "quoin/error.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// The results, or an error that says what the folder holds instead.
ResultKind require_kind(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code))
    throw Error(ErrorKind::io, "there is no such folder; give the result folder of a run (output.directory)",
                folder.string());
  if (const std::optional<ResultKind> kind = kind_of(folder)) return *kind;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.is_directory() && kind_of(entry.path()))
      throw Error(ErrorKind::io,
                  "the folder holds no result, but " + entry.path().filename().string() +
                      " in it does: a study that has not ended? Give that folder",
                  folder.string());
  }
  throw Error(ErrorKind::io, "the folder holds no result: neither summary.json nor case.yaml is in it",
              folder.string());
}

std::string run_sections(const RunResults& run, Gnuplot& gnuplot) {
  return summary_section(run) + history_section(run, gnuplot) + fields_section(run, gnuplot) +
         samples_section(run, gnuplot) + matrix_section(run, gnuplot) + kernels_section(run, gnuplot) +
         case_section(run);
}

std::string name_of(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

/// The case's, as far as it is known.
std::string title_of(const RunResults& run) {
  if (run.the_case && run.the_case->has("title")) return run.the_case->text("title");
  return text_at(run.summary, "/title");
}

struct Content {
  std::string markup;
  std::string title;
  std::string date;
  bool running = false;
};

Content sweep_content(const fs::path& folder, Gnuplot& gnuplot) {
  const Json study = read_object(folder / sweep_name);
  Content content{sweep_sections(study, gnuplot), "", "", false};
  for (const Json& member : list_at(study, "members")) {
    const fs::path place = folder / fs::path(text_at(member, "/directory")).filename();
    if (kind_of(place) != ResultKind::run) continue;
    const RunResults run = read_run(place);
    content.title = title_of(run);
    content.date = text_at(run.summary, "/date");
    break;
  }
  return content;
}

Content run_content(const fs::path& folder, Gnuplot& gnuplot) {
  const RunResults run = read_run(folder);
  return {status_of(run) + run_sections(run, gnuplot), title_of(run), text_at(run.summary, "/date"),
          run.status == "running"};
}

/// The study itself, then one of its runs: the finest mesh, or the first backend that ran.
Content study_content(const fs::path& folder, ResultKind kind, Gnuplot& gnuplot) {
  const bool converge = kind == ResultKind::converge;
  const Json study = read_object(folder / (converge ? converge_name : compare_name));
  const Json& runs = list_at(study, converge ? "levels" : "runs");
  Content content;
  content.markup = converge ? converge_sections(runs, number_at(study, "/expected_order"), gnuplot)
                            : compare_sections(runs, gnuplot);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const std::string name = converge ? fmt::format("level-{}", runs.size() - 1 - k) : fmt::format("{}", k + 1);
    if (kind_of(folder / name) != ResultKind::run) continue;
    const RunResults run = read_run(folder / name);
    content.title = title_of(run);
    content.date = text_at(run.summary, "/date");
    content.markup +=
        fmt::format("<h2>{} ({})</h2>\n", converge ? "The finest mesh" : "The first backend that ran", name);
    content.markup += status_of(run) + run_sections(run, gnuplot);
    break;
  }
  return content;
}

/// Visible only whole, in whatever folder.
void write_page(const fs::path& file, const std::string& page) {
  const fs::path parent = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    throw Error(ErrorKind::io, std::string("cannot open the report's folder: ") + std::strerror(errno),
                parent.string());
  try {
    write_whole_file(system_files(), folder, parent, file.filename().string(), {page});
  } catch (...) {
    ::close(folder);
    throw;
  }
  ::close(folder);
}

}  // namespace

bool write_report(const fs::path& folder, const ReportOptions& options) {
  const fs::path file = options.output.empty() ? folder / report_name : options.output;
  if (!file.has_filename() || fs::is_directory(file))
    throw Error(ErrorKind::io, "the report needs the name of a file, and this is a folder", file.string());
  const ResultKind kind = require_kind(folder);
  Gnuplot gnuplot;
  const Content content = kind == ResultKind::run     ? run_content(folder, gnuplot)
                          : kind == ResultKind::sweep ? sweep_content(folder, gnuplot)
                                                      : study_content(folder, kind, gnuplot);
  const std::string name = name_of(folder);
  const std::string title = content.title.empty() ? name : content.title;
  std::string lead = "Quoin report";
  for (const std::string& part : {content.title.empty() ? "" : name, content.date})
    if (!part.empty()) lead += " · " + part;
  std::string markup = "<header>\n<p class=\"lead\">" + html::escaped(lead) + "</p>\n<h1>" + html::escaped(title) +
                       "</h1>\n</header>\n<main>\n";
  if (gnuplot.absent())
    markup += html::note("There are no charts: " + gnuplot.fault() +
                         ". Install gnuplot (Debian: gnuplot-nox) and make the report again; the tables are all here.");
  markup += content.markup + "</main>\n";
  if (std::error_code code; fs::weakly_canonical(file, code) == fs::weakly_canonical(folder / report_name, code))
    list_beside_run(folder, report_name);
  write_page(file, html::page("Quoin: " + title, content.running ? options.reload_seconds : 0, markup));
  return content.running;
}

}  // namespace quoin
