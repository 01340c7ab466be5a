// By this class the theme styles tables, and wraps them so that wide ones scroll.
$("div.rst-content table").addClass("docutils");
