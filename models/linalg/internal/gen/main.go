// Command gen writes the amd64 assembly of the packages fastblas and vec with avo, and the Go
// declarations of its routines:
//
//	go run ../internal/gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg fastblas
//
// `go generate` runs it in the folders of the packages. The flag -pkg selects the routines. Every
// routine with vector instructions exists in two versions, one for each instruction set.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse()
	ConstraintExpr("amd64")
	ConstraintExpr("!noasm")
	switch name := flag.Lookup("pkg").Value.String(); name {
	case "fastblas":
		blasRoutines()
	case "vec":
		vecRoutines()
	default:
		log.Fatalf("no routines for package %q", name)
	}
	Generate()
}
