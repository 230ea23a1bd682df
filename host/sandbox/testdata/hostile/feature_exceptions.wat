;; Has an exception. The module is refused with LSP_INVALID_CONFIG that names the feature.
;; flags: --enable-exceptions
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (tag $e)
  (func (export "goToDefinition") (param i32 i32) (result i32)
    (throw $e)))
