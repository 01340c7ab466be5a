// quoin-docs FOLDER: writes the man page and the references of the case file and of the kernels under FOLDER.

#include "docs.hpp"

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "commands.hpp"

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out.exceptions(std::ios::failbit | std::ios::badbit);
  out << text;
  out.close();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: quoin-docs FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  CLI::App program;
  quoin::Context context;
  quoin::add_commands(program, context);
  const quoin::KeyTable table = quoin::key_table(quoin::candidates(context));
  write(folder / "man/man1/quoin.1", quoin::man_page(program));
  write(folder / "doc/quoin/case-keys.md", table.markdown());
  write(folder / "doc/quoin/case.schema.json", table.json_schema());
  write(folder / "doc/quoin/kernels.md", quoin::kernels_page());
  return 0;
} catch (const std::exception& e) {
  std::cerr << "quoin-docs: " << e.what() << "\n";
  return 1;
}
