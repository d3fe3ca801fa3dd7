// A row, a column or a cell of a heatmap, outlined for words of the text that name it.

export class Highlight {
  constructor(canvas) {
    this.canvas = canvas;
  }

  // `place` has `row`, `column` or both; without it the outline goes. `facts` tell where cells are.
  // Returns whether there is an outline now.
  show(place, facts) {
    this.place = place;
    this.settle(facts);
    return Boolean(this.mark?.isConnected);
  }

  // The picture is another one now: the outline stays on its row and column if they are there.
  settle(facts) {
    this.facts = facts;
    this.draw();
  }

  draw() {
    const box = this.place && this.box(this.place);
    if (!box) {
      this.mark?.remove();
      return;
    }
    this.mark ??= this.made();
    for (const [side, share] of Object.entries(box)) this.mark.style[side] = `${share * 100}%`;
    if (!this.mark.isConnected) this.canvas.append(this.mark);
  }

  made() {
    const mark = document.createElement("span");
    mark.className = "live__mark";
    mark.setAttribute("aria-hidden", "true");
    return mark;
  }

  // In shares of the picture, which may be shown smaller than it was drawn.
  box({ row, column }) {
    const { plot, width, height, rows, columns, order } = this.facts;
    const at = column === undefined || !order ? column : order.indexOf(column);
    if (row >= rows || at >= columns || at < 0) return undefined;
    const [x, y, wide, high] = plot;
    return {
      left: (x + (at === undefined ? 0 : (at * wide) / columns)) / width,
      top: (y + (row === undefined ? 0 : (row * high) / rows)) / height,
      width: (at === undefined ? wide : wide / columns) / width,
      height: (row === undefined ? high : high / rows) / height,
    };
  }
}
