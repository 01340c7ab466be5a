#pragma once

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace quoin::test {

struct MshElement {
  int number, type, entity, group;
  std::vector<int> nodes;
};

/// A mesh of a quad and two triangles, the second one clockwise, which writes itself in each version of Gmsh's format.
/// Its curves are those of `curves`, each with its physical group.
struct MshFile {
  std::vector<std::pair<int, std::array<double, 3>>> nodes{{1, {0, 0, 0}},  {2, {1, 0, 0}},  {30, {2, 0, 0}},
                                                           {4, {0, 1, 0}},  {50, {1, 1, 0}}, {6, {2, 1, 0}},
                                                           {7, {.5, .5, 0}}};
  std::vector<MshElement> elements{{1, 15, 9, 0, {7}},       {2, 1, 1, 5, {4, 1}},         {3, 1, 2, 6, {1, 2}},
                                   {4, 1, 2, 6, {2, 30}},    {5, 1, 3, 8, {6, 30}},        {6, 1, 4, 7, {50, 6}},
                                   {7, 1, 4, 7, {4, 50}},    {18, 3, 1, 9, {1, 2, 50, 4}}, {19, 2, 1, 9, {2, 30, 6}},
                                   {20, 2, 1, 9, {2, 50, 6}}};
  std::vector<std::pair<int, int>> curves{{1, 5}, {2, 6}, {3, -8}, {4, 7}};
  std::string names =
      "$PhysicalNames\n4\n1 5 \"left\"\n1 6 \"the bottom\"\n1 7 \"top\"\n2 9 \"domain\"\n$EndPhysicalNames\n";
  bool binary = false;

  template <class T>
  std::string value(T x) const {
    if (binary) return {reinterpret_cast<const char*>(&x), sizeof x};
    if constexpr (std::is_floating_point_v<T>) return ::testing::PrintToString(x) + " ";
    return std::to_string(x) + "\n";
  }
  std::string i4(int x) const { return value(x); }
  std::string i8(std::size_t x) const { return value(static_cast<std::int64_t>(x)); }
  std::string head(const char* version) const {
    return std::string("$MeshFormat\n") + version + (binary ? " 1 8\n" + i4(1) + "\n" : " 0 8\n") +
           "$EndMeshFormat\n$Comments\n$Nodes in a comment\n$EndComments\n" + names;
  }

  std::string version_22() const {
    std::string text = head("2.2") + "$Nodes\n" + std::to_string(nodes.size()) + "\n";
    for (const auto& [number, x] : nodes) text += i4(number) + point(x);
    text += "\n$EndNodes\n$Elements\n" + std::to_string(elements.size()) + "\n";
    for (const MshElement& e : elements) {
      text += binary ? i4(e.type) + i4(1) + i4(2) + i4(e.number) : i4(e.number) + i4(e.type) + i4(2);
      text += i4(e.group) + i4(e.entity);
      for (const int node : e.nodes) text += i4(node);
    }
    return text + "\n$EndElements\n";
  }

  /// 4.0 and 4.1 each with two blocks of nodes, the first one with parameters on a curve.
  std::string version_40() const {
    std::string text = head("4") + entities(true) + "$Nodes\n" + i8(2) + i8(nodes.size());
    text += i4(2) + i4(1) + i4(1) + i8(2);
    for (int k = 0; k < 2; ++k) text += i4(nodes[k].first) + point(nodes[k].second) + value(.7);
    text += i4(1) + i4(2) + i4(0) + i8(nodes.size() - 2);
    for (std::size_t k = 2; k < nodes.size(); ++k) text += i4(nodes[k].first) + point(nodes[k].second);
    text += "\n$EndNodes\n$Elements\n" + i8(elements.size()) + i8(elements.size());
    for (const MshElement& e : elements) {
      text += i4(e.entity) + i4(dimension(e)) + i4(e.type) + i8(1) + i4(e.number);
      for (const int node : e.nodes) text += i4(node);
    }
    return text + "\n$EndElements\n$NodeData\nnot ours\n$EndNodeData\n";
  }

  std::string version_41() const {
    std::string text = head("4.1") + entities(false) + "$Nodes\n" + i8(2) + i8(nodes.size()) + i8(1) + i8(50);
    text += i4(1) + i4(2) + i4(1) + i8(2);
    for (int k = 0; k < 2; ++k) text += i8(nodes[k].first);
    for (int k = 0; k < 2; ++k) text += point(nodes[k].second) + value(.7);
    text += i4(2) + i4(1) + i4(0) + i8(nodes.size() - 2);
    for (std::size_t k = 2; k < nodes.size(); ++k) text += i8(nodes[k].first);
    for (std::size_t k = 2; k < nodes.size(); ++k) text += point(nodes[k].second);
    text += "\n$EndNodes\n$Elements\n" + i8(elements.size()) + i8(elements.size()) + i8(1) + i8(20);
    for (const MshElement& e : elements) {
      text += i4(dimension(e)) + i4(e.entity) + i4(e.type) + i8(1) + i8(e.number);
      for (const int node : e.nodes) text += i8(node);
    }
    return text + "\n$EndElements\n$NodeData\nnot ours\n$EndNodeData\n";
  }

  std::string point(const std::array<double, 3>& x) const { return value(x[0]) + value(x[1]) + value(x[2]); }
  static int dimension(const MshElement& e) { return e.type == 15 ? 0 : e.type == 1 || e.type == 8 ? 1 : 2; }

  /// A point, the curves and a surface; the point has a box in 4.0.
  std::string entities(bool point_has_box) const {
    std::string text = "$Entities\n" + i8(1) + i8(curves.size()) + i8(1) + i8(0);
    text += i4(9) + point({.5, .5, 0}) + (point_has_box ? point({.5, .5, 0}) : "") + i8(0);
    const std::string box = point({0, 0, 0}) + point({2, 1, 0});
    for (const auto& [curve, group] : curves) text += i4(curve) + box + i8(1) + i4(group) + i8(2) + i4(1) + i4(-2);
    return text + i4(1) + box + i8(1) + i4(9) + i8(0) + "\n$EndEntities\n";
  }
};

/// In each of the six kinds.
inline void for_each_kind(MshFile file, const std::function<void(const std::string& text)>& action) {
  for (const bool binary : {false, true}) {
    file.binary = binary;
    SCOPED_TRACE(binary ? "binary" : "ASCII");
    for (const std::string& text : {file.version_22(), file.version_40(), file.version_41()}) {
      SCOPED_TRACE(text.substr(12, 3));
      action(text);
    }
  }
}

}  // namespace quoin::test
