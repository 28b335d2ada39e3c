/** Breaks a text into lines at its words; what does not fit ends with an ellipsis. */
export function wrapText(
  text: string,
  { characters, lines: most }: { readonly characters: number; readonly lines: number },
): string[] {
  const lines: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= characters) lines[lines.length - 1] = `${last} ${word}`
    else
      for (let start = 0; start < word.length; start += characters)
        lines.push(word.slice(start, start + characters).toWellFormed())
  }
  if (lines.length <= most) return lines
  const kept = lines.slice(0, most)
  const last = kept.at(-1) ?? ''
  return [...kept.slice(0, -1), `${last.slice(0, Math.max(0, characters - 1)).toWellFormed()}…`]
}
