// Package board makes the pictures of runs that screens show and files contain.
//
// A Board has the runs, the selected one, and the settings of the user. It knows no screen, no keys and no
// layout. It has pages of panels, which are registered in pages.go.
//
// A Panel is data: the name, the guide, the choices of the user, and the functions that find its content,
// draw it, and export it. Most panels show a view of the selected run; a panel applies if a run on the board
// has the view. The file of a panel contains its constructor and the conversion of the view to a picture. A
// picture is made from a board alone. Pictures for files are made from a copy of the board, with full labels
// and with other values of choices.
//
// A Choice is a value that the user chooses, such as a layer. Panels may share it. In some panels, such as
// the curves and the tables, the user moves a cursor, sorts or scrolls: they have a Mover. Screens bind keys
// to the actions that panels name.
//
// Package compare pairs and tests the runs that a board compares. The points of a curve are prepared once;
// later points are appended (series.go).
package board
