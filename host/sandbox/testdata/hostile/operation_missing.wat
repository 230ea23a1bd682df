;; Exports no operation. The module is refused with LSP_INVALID_CONFIG that lists them.
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1))
