package main

import "testing"

// TestWords compares encoded instructions with those of the GNU assembler (aarch64-linux-gnu-as 2.40), whose
// syntax the comments have.
func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want text }{
		{fadd.three(1, 2, 3), "$0x4e63d441 // fadd v1.2d, v2.2d, v3.2d"},
		{fsub.three(31, 0, 17), "$0x4ef1d41f // fsub v31.2d, v0.2d, v17.2d"},
		{fmul.three(4, 5, 6), "$0x6e66dca4 // fmul v4.2d, v5.2d, v6.2d"},
		{fdiv.three(7, 8, 31), "$0x6e7ffd07 // fdiv v7.2d, v8.2d, v31.2d"},
		{fmla.three(9, 10, 11), "$0x4e6bcd49 // fmla v9.2d, v10.2d, v11.2d"},
		{fmls.three(12, 31, 13), "$0x4eedcfec // fmls v12.2d, v31.2d, v13.2d"},
		{fcmeq.three(14, 15, 16), "$0x4e70e5ee // fcmeq v14.2d, v15.2d, v16.2d"},
		{fcmge.three(17, 18, 19), "$0x6e73e651 // fcmge v17.2d, v18.2d, v19.2d"},
		{fcmgt.three(20, 21, 22), "$0x6ef6e6b4 // fcmgt v20.2d, v21.2d, v22.2d"},
		{faddp.three(23, 24, 25), "$0x6e79d717 // faddp v23.2d, v24.2d, v25.2d"},
		{fneg.two(26, 27), "$0x6ee0fb7a // fneg v26.2d, v27.2d"},
		{fsqrt.two(28, 29), "$0x6ee1fbbc // fsqrt v28.2d, v29.2d"},
		{frintn.two(30, 31), "$0x4e618bfe // frintn v30.2d, v31.2d"},
		{fmulElement.element(1, 2, 31), "$0x4fdf9041 // fmul v1.2d, v2.2d, v31.d[0]"},
		{fmlaElement.element(3, 30, 4), "$0x4fc413c3 // fmla v3.2d, v30.2d, v4.d[0]"},
		{fmlsElement.element(31, 5, 16), "$0x4fd050bf // fmls v31.2d, v5.2d, v16.d[0]"},
		{inverted(6, 7), "$0x6e2058e6 // mvn v6.16b, v7.16b"},
	} {
		if c.got != c.want {
			t.Errorf("the instruction is encoded as %q, want %q", c.got, c.want)
		}
	}
}
