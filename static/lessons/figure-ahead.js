// Where the server draws, a drag is faster than its answers. Half of the way that the hand went
// while the last answer came is asked for together with the next step, and shown when the hand has
// passed it: two requests are under way, and twice as many values are seen. After a single step the
// next one in its direction is asked for: the browser keeps the answer until it is wanted.

export class Drag {
  // The step to ask for early, or null: one linear slider must be on its way.
  next(values, controls) {
    const { last } = this;
    this.last = values;
    const moved = Object.keys(values).filter((name) => last && values[name] !== last[name]);
    const control = moved.length === 1 ? controls.controls.get(moved[0]) : undefined;
    if (control?.field.type !== "range" || control.kind === "log") return null;
    const [name] = moved;
    const step = Number(control.field.step) || 1;
    const steps = Math.round((values[name] - last[name]) / step);
    if (!steps) return null;
    const exact = Number(values[name]) + Math.sign(steps) * step * Math.ceil(Math.abs(steps) / 2);
    const value = Number(exact.toPrecision(12)); // as the slider says it: 0.15, not 0.1500...02
    if (value < Number(control.field.min) || value > Number(control.field.max)) return null;
    const others = ({ [name]: _, ...rest }) => JSON.stringify(rest);
    return {
      values: { ...values, [name]: String(value) },
      isPassed: (now) =>
        Math.sign(steps) * (now[name] - value) >= 0 && others(now) === others(values),
    };
  }
}
