// Package datapage shows how the columns of a file are interpreted, and lets the user change that:
// the targets, the ignored columns, the categories, and the treatment of rows with missing cells.
// It also shows the questions that the file leaves open.
//
// The changes are the targets and the column settings of a configuration. After every change the
// file is described again in the background.
package datapage
