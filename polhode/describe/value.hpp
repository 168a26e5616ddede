// A value that holds one of many described structs: a joint is a Revolute, a Screw, or what a program of its own has
// added.
#pragma once

#include <concepts>
#include <memory>

#include <polhode/describe/field.hpp>

namespace polhode {

/// Kind is a Description with more (JointKind, ForceKind). Copies share their data until one of them is edited.
template <class Kind>
class Value {
 public:
  /// Of a struct S whose `kind<S>` is a Kind: model.joints = {Spherical{.name = "tip", ...}, Screw{...}}.
  template <class S>
  requires std::same_as<std::remove_cv_t<decltype(kind<S>)>, Kind> Value(S data)
      : kind_(&polhode::kind<S>), data_(std::make_shared<S>(std::move(data))) {}
  /// With its defaults.
  explicit Value(const Kind& of) : kind_(&of), data_(of.make()) {}

  const Kind& kind() const { return *kind_; }
  const std::string& name() const { return *kind_->name(edit_shared()); }
  void rename(std::string name) { *kind_->name(edit()) = std::move(name); }

  /// The struct that it holds, or null if it holds another one.
  template <class S>
  const S* get() const {
    return kind_ == &polhode::kind<S> ? static_cast<const S*>(data_.get()) : nullptr;
  }
  template <class S>
  S* edit() {
    return kind_ == &polhode::kind<S> ? static_cast<S*>(edit()) : nullptr;
  }
  /// The field of that word and type, or null if its kind has none.
  template <class T>
  T* field(std::string_view word) {
    const FieldInfo* const found = kind_->find(word);
    return found && found->type == value_type_of<T> ? static_cast<T*>(found->of(edit())) : nullptr;
  }
  template <class T>
  const T* field(std::string_view word) const {
    const FieldInfo* const found = kind_->find(word);
    return found && found->type == value_type_of<T> ? static_cast<const T*>(found->of(edit_shared())) : nullptr;
  }

  const void* data() const { return data_.get(); }
  /// Its data, to be changed: no other value shares it from here on.
  void* edit() {
    if (data_.use_count() > 1) data_ = kind_->copy(data_.get());
    return data_.get();
  }

  bool operator==(const Value& other) const {
    return kind_ == other.kind_ && (data_ == other.data_ || kind_->equal(data_.get(), other.data_.get()));
  }

 protected:
  void* edit_shared() const { return data_.get(); }  ///< for accessors that only look

 private:
  const Kind* kind_;
  std::shared_ptr<void> data_;
};

}  // namespace polhode
