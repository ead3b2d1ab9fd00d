// Package datapage shows what the columns of a file are, as they were found, and lets a
// person say otherwise: which are targets, which are left out, what is a category, what
// becomes of rows that miss a cell. Questions that the file leaves open are answered here.
//
// What is said are the targets and choices of a configuration; after every change the file
// is described anew, in the background.
package datapage
