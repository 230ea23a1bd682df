;; Wants a memory of 4 GiB from the start. The module is refused with LSP_INVALID_CONFIG that names
;; memoryBytes.
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 65536)
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
