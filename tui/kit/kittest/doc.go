// Package kittest is for the tests of screens: runs and snapshots made of nothing,
// a house that stands in for the program around one screen, and keys by name.
package kittest
