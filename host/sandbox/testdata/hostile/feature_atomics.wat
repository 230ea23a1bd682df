;; Uses an atomic instruction. The module is refused with LSP_INVALID_CONFIG that names the
;; feature.
;; flags: --enable-threads
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "goToDefinition") (param i32 i32) (result i32)
    (i32.atomic.load (i32.const 0))))
