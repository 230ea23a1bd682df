;; Has a 64-bit memory. The module is refused with LSP_INVALID_CONFIG that names the feature.
;; flags: --enable-memory64
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") i64 1)
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
