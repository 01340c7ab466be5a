// quoin matrix FILE: what a matrix file holds, before anything is solved with it.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "quoin/bytes.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin {
namespace {

struct MatrixArguments {
  std::string file;
  bool sum = false;
  bool json = false;
};

/// In compressed rows: a 32-bit column and a number an entry, a 64-bit offset a row.
std::int64_t csr_bytes(const SparseMatrix& matrix, std::int64_t number) {
  return matrix.entries() * (4 + number) + 8 * (matrix.rows + 1);
}

std::string matrix_json(const SparseMatrix& matrix, const MarketHeader& header, const MatrixFacts& facts) {
  nlohmann::ordered_json json{
      {"rows", matrix.rows},
      {"columns", matrix.columns},
      {"entries", matrix.entries()},
      {"entries_in_file", header.entries},
      {"row_entries", {{"shortest", facts.shortest_row}, {"median", facts.median_row}, {"longest", facts.longest_row}}},
      {"empty_rows", facts.empty_rows},
      {"bandwidth", {{"below", facts.below}, {"above", facts.above}}},
      {"largest_entry", facts.largest_entry},
      {"csr_bytes", {{"double", csr_bytes(matrix, sizeof(double))}, {"float", csr_bytes(matrix, sizeof(float))}}}};
  if (matrix.rows == matrix.columns) {
    json["symmetric"] = facts.symmetric();
    json["entries_without_partner"] = facts.without_partner;
    json["largest_difference"] = facts.largest_difference;
    json["rows_without_diagonal"] = facts.without_diagonal;
    json["dominant_rows"] = facts.dominant_rows;
  }
  return json.dump(2) + "\n";
}

std::string symmetry_text(const MatrixFacts& facts) {
  if (facts.symmetric()) return "symmetric";
  if (facts.without_partner == 0)
    return fmt::format("of the pattern alone; a(i,j) and a(j,i) differ by {:.6g} at most", facts.largest_difference);
  return fmt::format("none; entries (i,j) without (j,i): {}", facts.without_partner);
}

std::string diagonal_text(const SparseMatrix& matrix, const MatrixFacts& facts) {
  const std::string zeros = facts.without_diagonal == 0
                                ? "no zero"
                                : fmt::format("0 or missing in {} of {} rows", facts.without_diagonal, matrix.rows);
  return fmt::format("{}; as large as the rest of the row in {} of {} rows", zeros, facts.dominant_rows, matrix.rows);
}

std::string matrix_text(const SparseMatrix& matrix, const MarketHeader& header, const MatrixFacts& facts) {
  std::string text = fmt::format("size       {} x {}, {} entries", matrix.rows, matrix.columns, matrix.entries());
  if (header.entries != matrix.entries()) text += fmt::format(", of which the file holds {}", header.entries);
  text += fmt::format("\nrows       {} to {} entries, median {}; {} empty\n", facts.shortest_row, facts.longest_row,
                      facts.median_row, facts.empty_rows == 0 ? "none is" : fmt::format("{} are", facts.empty_rows));
  text += fmt::format("bandwidth  {} below the diagonal, {} above\n", facts.below, facts.above);
  if (matrix.rows == matrix.columns)
    text += fmt::format("symmetry   {}\ndiagonal   {}\n", symmetry_text(facts), diagonal_text(matrix, facts));
  const auto memory = [&](std::int64_t number) { return in_bytes(static_cast<double>(csr_bytes(matrix, number))); };
  return text +
         fmt::format("memory     {} in compressed rows, {} in float\n", memory(sizeof(double)), memory(sizeof(float)));
}

int describe_matrix(const MatrixArguments& arguments) {
  const MarketOptions options{arguments.sum ? Duplicates::sum : Duplicates::refuse};
  const SparseMatrix matrix = read_matrix(arguments.file, options);
  const MarketHeader header = read_header(arguments.file);
  const MatrixFacts facts = facts_of(matrix);
  print(arguments.json ? matrix_json(matrix, header, facts) : matrix_text(matrix, header, facts));
  return 0;
}

}  // namespace

void add_matrix(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "matrix",
      "Check a Matrix Market file and describe its matrix. Told are its size, lengths of rows, bandwidth, symmetry, "
      "diagonal and memory, and mistakes with line and column.");
  const auto arguments = std::make_shared<MatrixArguments>();
  command.add_option("file", arguments->file, "The file, which gzip may have compressed")
      ->type_name("FILE")
      ->required();
  command.add_flag("--sum-duplicates", arguments->sum,
                   "Add up entries in one place of the matrix, which are a mistake else");
  command.add_flag("--json", arguments->json, "For programs");
  command.callback([&context, arguments] { context.action = [arguments] { return describe_matrix(*arguments); }; });
}

}  // namespace quoin
