document.title = "Covan";
