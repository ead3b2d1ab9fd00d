// Command gen writes the assembly of the packages fastblas and vec with avo, and the Go declarations of its
// routines:
//
//	go run ../internal/gen -arch arm64 -out kernels_arm64.s -stubs kernels_arm64.go -pkg fastblas
//
// `go generate` runs it in the folders of the packages. The flag -pkg selects the routines, and -arch the
// machine, amd64 or arm64. Every routine with vector instructions exists in one version for each instruction
// set of the machine.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
)

func main() {
	arch := flag.String("arch", "amd64", "machine")
	flag.Parse()
	sets := []isa{avx512, avx2}
	if *arch == "arm64" {
		sets = []isa{neon}
		pass.Compile = compileForArm
	}
	ConstraintExpr(*arch)
	ConstraintExpr("!noasm")
	switch name := flag.Lookup("pkg").Value.String(); name {
	case "fastblas":
		blasRoutines(sets)
	case "vec":
		vecRoutines(sets)
	default:
		log.Fatalf("no routines for package %q", name)
	}
	Generate()
}
