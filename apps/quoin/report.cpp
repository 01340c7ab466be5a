#include "quoin/report.hpp"

#include <csignal>
#include <ctime>

#include "commands.hpp"

namespace quoin {
namespace {

constexpr int seconds_between = 3;

struct ReportArguments {
  std::string folder;
  std::string output;
  bool watch = false;
};

/// Until the run has ended, or a signal came. The last page does not reload itself any more.
int watch(const ReportArguments& arguments) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // they wait until a page is whole
  int caught = -1;
  while (caught < 0) {
    if (!write_report(arguments.folder, {arguments.output, seconds_between})) return 0;
    const timespec pause{seconds_between, 0};
    caught = sigtimedwait(&signals, nullptr, &pause);
  }
  write_report(arguments.folder, {arguments.output});
  return 128 + caught;
}

int report(const Context& context, const ReportArguments& arguments) {
  open_problems(context);  // their cases could not be read else
  const std::string page = arguments.output.empty() ? arguments.folder + "/report.html" : arguments.output;
  int code = 0;
  if (arguments.watch) {
    code = watch(arguments);
  } else {
    write_report(arguments.folder, {arguments.output});
  }
  print("the report is " + page + "\n");
  return code;
}

}  // namespace

void add_report(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "report",
      "Write a page about a result folder. It shows how a run or a study ended, pictures of the fields, "
      "histories, kernels and the case; gnuplot draws the charts.");
  const auto arguments = std::make_shared<ReportArguments>();
  command.add_option("folder", arguments->folder, "The result folder")->type_name("DIR")->required();
  command.add_option("--output", arguments->output, "The page [DIR/report.html]")->type_name("FILE");
  command.add_flag("--watch", arguments->watch,
                   "Write it anew every few seconds until the run has ended; the page reloads itself");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return report(context, *arguments); }; });
}

}  // namespace quoin
