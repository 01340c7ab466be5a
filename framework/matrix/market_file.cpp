#include "matrix/market_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/large_pages.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};

// zlib hands on unchanged what gzip has not written.
class MarketFile {
 public:
  explicit MarketFile(const std::filesystem::path& file) : name_(file.string()) {
    std::error_code error;
    size_ = std::filesystem::file_size(file, error);  // an error for what is no plain file: a pipe would wait
    if (error) throw Error(ErrorKind::io, "cannot open the file: " + error.message(), name_);
    errno = 0;
    file_.reset(gzopen(name_.c_str(), "rb"));
    if (file_ == nullptr) throw Error(ErrorKind::io, std::string("cannot open the file: ") + reason(), name_);
    gzbuffer(file_.get(), 1U << 17U);
  }

  [[nodiscard]] std::size_t size_on_disk() const { return size_; }

  // Fewer bytes than there is room for: the file ends.
  std::size_t read(char* into, std::size_t room) {
    std::size_t done = 0;
    while (done < room) {
      constexpr std::size_t most = 1U << 30U;  // zlib counts in int
      const int count = gzread(file_.get(), into + done, static_cast<unsigned>(std::min(room - done, most)));
      if (count <= 0) break;
      done += count;
    }
    if (done < room) check_end();
    return done;
  }

  // The next byte, or -1 at the end.
  int next() {
    const int byte = gzgetc(file_.get());
    if (byte == -1) check_end();
    return byte;
  }

 private:
  static const char* reason() { return errno == 0 ? "out of memory" : std::strerror(errno); }

  void check_end() const {
    int code = Z_OK;
    gzerror(file_.get(), &code);
    if (code == Z_ERRNO) throw Error(ErrorKind::io, std::string("cannot read the file: ") + reason(), name_);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_BUF_ERROR)
      throw Error(ErrorKind::case_file, "the compressed file is cut off; write or copy it anew", name_);
    if (code != Z_OK && code != Z_STREAM_END)
      throw Error(ErrorKind::case_file, "the compressed file is damaged; write or copy it anew", name_);
  }

  std::string name_;
  std::uintmax_t size_ = 0;
  std::unique_ptr<gzFile_s, CloseGzip> file_;
};

}  // namespace

MarketBytes read_all(const std::filesystem::path& file) {
  MarketFile input(file);
  std::size_t room = input.size_on_disk() + 1;  // one more than it holds: room that is left tells the end
  MarketBytes bytes{std::make_unique_for_overwrite<char[]>(room)};
  hint_large_pages(bytes.data.get(), room);
  while (true) {
    bytes.size += input.read(bytes.data.get() + bytes.size, room - bytes.size);
    if (bytes.size < room) return bytes;
    auto wider = std::make_unique_for_overwrite<char[]>(2 * room);
    hint_large_pages(wider.get(), 2 * room);
    std::memcpy(wider.get(), bytes.data.get(), room);
    bytes.data = std::move(wider);
    room *= 2;
  }
}

std::string read_head(const std::filesystem::path& file) {
  MarketFile input(file);
  std::string head;
  std::size_t line = 0;
  for (int byte = input.next(); byte != -1; byte = input.next()) {
    head.push_back(static_cast<char>(byte));
    if (byte != '\n') continue;
    const std::size_t word = head.find_first_not_of(" \t\r\n", line);
    if (word != std::string::npos && head[word] != '%') break;
    line = head.size();
  }
  return head;
}

}  // namespace quoin
