"use strict";
(function () {
  function reveal() {
    var id = decodeURIComponent(location.hash.slice(1));
    var place = id && document.getElementById(id);
    if (!place) return;
    for (var node = place; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    place.scrollIntoView({block: place.offsetHeight > innerHeight * 0.7 ? "start" : "center"});
  }
  addEventListener("hashchange", reveal);
  addEventListener("load", reveal);

  document.querySelectorAll(".diagram").forEach(function (figure) {
    var canvas = figure.querySelector(".canvas"), svg = canvas.querySelector("svg");
    if (!svg) return;
    var natural = svg.viewBox.baseVal.width;
    function scale(width) {
      var middle = (canvas.scrollLeft + canvas.clientWidth / 2) / canvas.scrollWidth;
      svg.style.maxWidth = "none";
      svg.style.minWidth = "0";
      svg.style.width = Math.max(200, Math.min(width, natural * 4)) + "px";
      canvas.scrollLeft = middle * canvas.scrollWidth - canvas.clientWidth / 2;
    }
    var acts = {
      in: function () { scale(svg.clientWidth * 1.25); },
      out: function () { scale(svg.clientWidth / 1.25); },
      fit: function () { scale(Math.min(canvas.clientWidth, natural * 2)); },
      actual: function () { scale(natural); }
    };
    figure.addEventListener("click", function (event) {
      var button = event.target.closest("[data-zoom]");
      if (button) acts[button.dataset.zoom]();
    });
    canvas.addEventListener("keydown", function (event) {
      var act = {"+": "in", "=": "in", "-": "out", "0": "fit", "1": "actual"}[event.key];
      if (act) { acts[act](); event.preventDefault(); }
    });
    canvas.addEventListener("wheel", function (event) {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      scale(svg.clientWidth * (event.deltaY < 0 ? 1.12 : 1 / 1.12));
    }, {passive: false});
    var from = null;
    canvas.addEventListener("pointerdown", function (event) {
      if (event.pointerType === "mouse" && event.button === 0)
        from = {x: event.clientX, y: event.clientY, left: canvas.scrollLeft, top: canvas.scrollTop, moved: false};
    });
    addEventListener("pointermove", function (event) {
      if (!from) return;
      if (Math.abs(event.clientX - from.x) + Math.abs(event.clientY - from.y) > 4) from.moved = true;
      canvas.classList.toggle("drag", from.moved);
      canvas.scrollLeft = from.left - (event.clientX - from.x);
      canvas.scrollTop = from.top - (event.clientY - from.y);
    });
    addEventListener("pointerup", function () {
      if (from && from.moved) canvas.addEventListener("click", function (event) { event.preventDefault(); }, {capture: true, once: true});
      from = null;
      canvas.classList.remove("drag");
    });
    canvas.addEventListener("dragstart", function (event) { event.preventDefault(); });
  });

  document.querySelectorAll("[data-open]").forEach(function (button) {
    var words = [button.textContent, button.dataset.closeLabel], open = false;
    button.addEventListener("click", function () {
      open = !open;
      document.querySelectorAll(button.dataset.open + " details").forEach(function (each) { each.open = open; });
      button.textContent = words[open ? 1 : 0];
    });
  });

  var links = {};
  document.querySelectorAll(".side li a").forEach(function (link) { links[link.hash.slice(1)] = link; });
  if ("IntersectionObserver" in window) {
    var watch = new IntersectionObserver(function (entries) {
      entries.forEach(function (entry) {
        if (!entry.isIntersecting) return;
        Object.keys(links).forEach(function (id) { links[id].classList.toggle("here", id === entry.target.id); });
      });
    }, {rootMargin: "-15% 0px -75% 0px"});
    document.querySelectorAll(".part").forEach(function (part) { watch.observe(part); });
  }

  var closed = [];
  addEventListener("beforeprint", function () {
    closed = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    closed.forEach(function (each) { each.open = true; });
  });
  addEventListener("afterprint", function () { closed.forEach(function (each) { each.open = false; }); });
})();
