/** Whether the small charts are folded, whose terms a visitor who has just ended a guide need not know. */
class FoldedCurves {
  on = $state(false)
}

export const foldedCurves = new FoldedCurves()
