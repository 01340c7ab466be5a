#pragma once

// What `quoin sweep` varies: keys with their values, the settings that these make, and a folder's name for each.

#include <string>
#include <vector>

namespace quoin {

/// A key of the case and the values that it takes in turn, as YAML.
struct Variation {
  std::string key;
  std::vector<std::string> values;
};

/// Of KEY=V1,V2,... each. ErrorKind::usage for a key that comes twice, and a value that is empty or comes twice.
std::vector<Variation> variations_of(const std::vector<std::string>& texts);

/// A value of each key, in the order of the keys.
using Setting = std::vector<std::string>;

/// Every combination of the values, the last key changing fastest; with `zip` the first values of all, the second of
/// all and so on. ErrorKind::usage where their numbers then differ, and where there are more than 10000.
std::vector<Setting> settings_of(const std::vector<Variation>& variations, bool zip);

/// What tells the keys apart: the last parts of their paths, `order` of method.order, or else the paths.
std::vector<std::string> short_names(const std::vector<Variation>& variations);

/// `order=2,cells=20x20`: for each setting a name of a folder that no other has.
std::vector<std::string> folder_names(const std::vector<Variation>& variations, const std::vector<Setting>& settings);

}  // namespace quoin
