#pragma once

#include "quoin/host_memory.hpp"

std::unique_ptr<quoin::Executor> loops();
std::unique_ptr<quoin::Executor> on_opencl();
