#include "output/hdf5.hpp"

#include <dlfcn.h>

#include <array>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "base/library_folder.hpp"
#include "base/thread.hpp"
#include "output/hdf5/module.hpp"
#include "output/hdf5_input.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

const hdf5::Module& module() {
  static const hdf5::Module& opened = []() -> const hdf5::Module& {
    const std::string file = (folder_of_library() / "quoin" / "quoin-hdf5.so").string();
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const void* symbol = library == nullptr ? nullptr : dlsym(library, "quoin_hdf5");
    if (symbol == nullptr)
      throw Error(ErrorKind::io, std::string("HDF5 cannot be loaded: ") + dlerror() + "; is the installation whole?");
    return *static_cast<const hdf5::Module*>(symbol);
  }();
  return opened;
}

}  // namespace

void prepare_hdf5() {
  const auto load = [] {
    try {
      (void)module();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): whoever has a file is told
    }
  };
  try {
    static const std::jthread loading = start_thread(load);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): then it takes its time when there is a file
  }
}

std::unique_ptr<Hdf5File> Hdf5File::create(PutAt put) { return module().create(std::move(put)); }

std::unique_ptr<Hdf5Input> Hdf5Input::open(const std::filesystem::path& file) { return module().open(file); }

std::unique_ptr<Hdf5Input> Hdf5Input::open_image(const std::string& image) { return module().open_image(image); }

void Hdf5File::add(const std::string& name, std::span<const std::int64_t> shape, std::span<const double> values) {
  add(name, shape, Numbers::doubles, [&](const TakeBytes& take) { take(std::as_bytes(values)); });
}

void Hdf5File::add(const std::string& name, std::span<const std::int64_t> shape, std::span<const std::int64_t> values) {
  add(name, shape, Numbers::integers, [&](const TakeBytes& take) { take(std::as_bytes(values)); });
}

void Hdf5File::add(const std::string& name, std::span<const std::byte> bytes) {
  const std::array extent{static_cast<std::int64_t>(bytes.size())};
  add(name, extent, Numbers::bytes, [&](const TakeBytes& take) { take(bytes); });
}

std::string hdf5_image(const std::function<void(Hdf5File& file)>& fill) {
  std::string bytes;
  const auto file = Hdf5File::create(into(bytes));
  fill(*file);
  file->close();
  return bytes;
}

}  // namespace quoin
