/* The manifest of a communicator, and nothing else: tests give its table. */
#include "quoin/communicator_abi.h"

__attribute__((used, section(QUOIN_MANIFEST_SECTION))) static const char manifest[] =
    "{\"kind\":\"communicator\",\"name\":\"" FAKE_NAME
    "\",\"version\":\"1.0.0\",\"abi\":[1,0],\"toolchain\":\"cc\",\"kernels\":{},\"keys\":[]}";
