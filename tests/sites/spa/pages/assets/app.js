document.getElementById("root").textContent = "Fieldbook"
