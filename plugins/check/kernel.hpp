#pragma once

// A kernel that is watched: its arguments are judged before the launch, and everything that it may not
// touch is compared after it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/launch.hpp"
#include "memory.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::check {

/// Runs a catalogue kernel at once on resolved arguments.
using Function = std::function<void(const Variant&, const kernels::Range&, const kernels::Resolved*)>;

class CheckedKernel : public Kernel {
 public:
  /// Throws ErrorKind::device for a kernel and ErrorKind::bug for a constant that the catalogue lacks.
  CheckedKernel(KernelSpec spec, Function function);
  /// Throws ErrorKind::bug, naming kernel and argument, for arguments that do not fit the catalogue, the
  /// box or their memory. What the kernel itself does wrong is thrown when the queue works.
  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) override;
  [[nodiscard]] Cost cost(const Box& box) const override { return catalogue_cost(spec_, box); }

 private:
  KernelSpec spec_;
  const CatalogueEntry& entry_;
  Function function_;
};

/// All that a launch touches: made and judged when it is given, used when it runs.
class Watch {
 public:
  Watch(const KernelSpec& spec, const CatalogueEntry& entry, const Box& box, std::span<const Argument> arguments);
  void run(const Function& function);

 private:
  struct Use {  // of an allocation by a buffer argument
    std::size_t argument;
    std::shared_ptr<Allocation> allocation;
    std::size_t offset;
    std::size_t element;
    std::int64_t pitch;
    std::vector<std::pair<std::size_t, std::size_t>> rows;  // byte ranges of the memory
  };
  struct State {  // of an allocation before the launch
    std::vector<std::byte> bytes;
    std::vector<bool> writable;
  };

  [[nodiscard]] std::string name(std::size_t argument) const;
  [[noreturn]] void fail(std::size_t argument, const std::string& what) const;
  void judge(std::size_t index, std::span<const Argument> arguments) const;
  void add_use(std::size_t index, const Argument& argument, std::span<const Argument> arguments);
  void refuse_aliases() const;
  [[nodiscard]] bool writes(const Use& use) const { return entry_.arguments[use.argument].intent != Intent::in; }
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] State before(const Use& use, bool stopped) const;
  void compare(const Use& use, const State& state) const;
  void find_unwritten(const Use& use) const;
  [[nodiscard]] std::string element_name(const Use& use, std::size_t byte) const;

  KernelSpec spec_;
  const CatalogueEntry& entry_;
  Box box_;
  std::vector<kernels::Resolved> resolved_;
  std::vector<Use> uses_;
};

}  // namespace quoin::check
