// The layout of version 1 of the plugin boundary on 64-bit machines. These numbers never change: a
// plugin that was built once must be understood for as long as the major version stays.

#include <gtest/gtest.h>

#include <type_traits>

#include "quoin/error.hpp"
#include "quoin/executor.hpp"
#include "quoin/plugin_abi.h"

namespace {

#define AT(type, member, offset) static_assert(offsetof(type, member) == (offset), #type "." #member)

static_assert(QUOIN_ABI_MAJOR == 1 && QUOIN_ABI_MAGIC == 0x4e494f5551);
static_assert(QUOIN_MOST_ARGUMENTS == 32);

AT(quoin_error, message, 4);
AT(quoin_error, where, 2052);
static_assert(sizeof(quoin_error) >= 2308);

AT(quoin_host, abi_major, 4);
AT(quoin_host, abi_minor, 8);
AT(quoin_host, log, 16);
AT(quoin_host, trace, 24);

AT(quoin_device_info, kind, 4);
AT(quoin_device_info, name, 8);
AT(quoin_device_info, memory_bytes, 264);
AT(quoin_device_info, units, 272);
AT(quoin_device_info, subgroup, 276);
AT(quoin_device_info, peak_bandwidth, 280);
AT(quoin_device_info, memory_kinds, 288);
AT(quoin_device_info, precisions, 292);
AT(quoin_device_info, error_bound, 296);
AT(quoin_device_info, note, 304);
AT(quoin_device_info, driver, 816);
AT(quoin_device_info, version, 1072);

// Without a size of their own, so frozen whole.
static_assert(sizeof(quoin_option) == 16 && offsetof(quoin_option, value) == 8);
static_assert(sizeof(quoin_constant) == 16 && offsetof(quoin_constant, value) == 8);

AT(quoin_kernel_spec, precision, 4);
AT(quoin_kernel_spec, name, 8);
AT(quoin_kernel_spec, constants, 16);
AT(quoin_kernel_spec, constant_count, 24);

AT(quoin_field_spec, element_bytes, 4);
AT(quoin_field_spec, extent, 8);
AT(quoin_field_spec, ghost, 32);

AT(quoin_layout, ghost, 8);
AT(quoin_layout, pitch, 16);
AT(quoin_layout, origin, 24);
AT(quoin_layout, bytes, 32);

AT(quoin_box, lower, 8);
AT(quoin_box, upper, 32);
AT(quoin_box, origin, 56);

AT(quoin_argument, kind, 4);
AT(quoin_argument, memory, 8);
AT(quoin_argument, offset, 16);
AT(quoin_argument, pitch, 24);
AT(quoin_argument, real_value, 32);
AT(quoin_argument, integer_value, 40);

AT(quoin_cost, bytes, 8);
AT(quoin_cost, flops, 16);

AT(quoin_descriptor, magic, 0);
AT(quoin_descriptor, size, 8);
AT(quoin_descriptor, abi_major, 12);
AT(quoin_descriptor, abi_minor, 16);
AT(quoin_descriptor, table_bytes, 20);
AT(quoin_descriptor, name, 24);
AT(quoin_descriptor, version, 32);
AT(quoin_descriptor, toolchain, 40);
AT(quoin_descriptor, table, 48);

// The order of the table.
constexpr std::size_t slot = sizeof(void*);
AT(quoin_table, device_count, 0 * slot);
AT(quoin_table, device_info, 1 * slot);
AT(quoin_table, executor_create, 2 * slot);
AT(quoin_table, executor_destroy, 3 * slot);
AT(quoin_table, supports, 4 * slot);
AT(quoin_table, memory_create, 5 * slot);
AT(quoin_table, memory_destroy, 6 * slot);
AT(quoin_table, queue_create, 7 * slot);
AT(quoin_table, queue_destroy, 8 * slot);
AT(quoin_table, copy_in, 9 * slot);
AT(quoin_table, copy_out, 10 * slot);
AT(quoin_table, synchronize, 11 * slot);
AT(quoin_table, kernel_create, 12 * slot);
AT(quoin_table, kernel_destroy, 13 * slot);
AT(quoin_table, launch, 14 * slot);
static_assert(QUOIN_TABLE_REQUIRED_BYTES == 15 * slot);
AT(quoin_table, shutdown, 15 * slot);
AT(quoin_table, layout, 16 * slot);
AT(quoin_table, event_create, 17 * slot);
AT(quoin_table, event_destroy, 18 * slot);
AT(quoin_table, event_record, 19 * slot);
AT(quoin_table, event_seconds, 20 * slot);
AT(quoin_table, event_wait, 21 * slot);
AT(quoin_table, cost, 22 * slot);
AT(quoin_table, launches, 23 * slot);
AT(quoin_table, memory_on_host, 24 * slot);
AT(quoin_table, memory_map, 25 * slot);
AT(quoin_table, memory_unmap, 26 * slot);
AT(quoin_table, executor_info, 27 * slot);
AT(quoin_table, device_wanted, 28 * slot);
AT(quoin_table, sequence_begin, 29 * slot);
AT(quoin_table, sequence_end, 30 * slot);
AT(quoin_table, sequence_run, 31 * slot);
AT(quoin_table, sequence_destroy, 32 * slot);

// The numbers of the enumerations that cross the boundary.
using quoin::Argument;
using quoin::DeviceKind;
using quoin::ErrorKind;
using quoin::MemoryKind;
static_assert(static_cast<int>(ErrorKind::bug) == 1 && static_cast<int>(ErrorKind::checkpoint) == 9);
static_assert(static_cast<int>(ErrorKind::device) == 7 && static_cast<int>(ErrorKind::plugin) == 8);
static_assert(static_cast<int>(DeviceKind::cpu) == 0 && static_cast<int>(DeviceKind::accelerator) == 2);
static_assert(static_cast<int>(MemoryKind::device) == 0 && static_cast<int>(MemoryKind::shared_atomic) == 4 &&
              static_cast<int>(MemoryKind::zero_copy) == 5);
static_assert(static_cast<int>(Argument::Kind::buffer) == 0 && static_cast<int>(Argument::Kind::real) == 1 &&
              static_cast<int>(Argument::Kind::integer) == 2);

#undef AT

TEST(Abi, IsPlainData) {
  EXPECT_TRUE(std::is_trivial_v<quoin_table> && std::is_standard_layout_v<quoin_table>);
  EXPECT_TRUE(std::is_trivial_v<quoin_argument> && std::is_standard_layout_v<quoin_argument>);
  EXPECT_TRUE(std::is_trivial_v<quoin_device_info> && std::is_standard_layout_v<quoin_device_info>);
}

}  // namespace
