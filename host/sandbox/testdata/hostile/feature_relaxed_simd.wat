;; Uses an instruction of relaxed SIMD. The module is refused with LSP_INVALID_CONFIG.
;; flags: --enable-relaxed-simd
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "goToDefinition") (param i32 i32) (result i32)
    (i32x4.extract_lane 0 (i32x4.relaxed_trunc_f32x4_s (v128.const i32x4 0 0 0 0)))))
