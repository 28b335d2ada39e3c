/** What a setting says of the number in subjects: `[#]` or `[Desk #]`. */
export const subjectNumberForm = /^\[(?:[^[\]#{}\p{Cc}]{1,30} )?#\]$/u

/** A mail may quote the subjects of others; more numbers are no sign of ours. */
const maxNumbers = 3

/** The numbers in a subject, each once: `[#84]`, `[Desk #84]`. */
export const numbersIn = (subject: string): number[] =>
  [...new Set([...subject.matchAll(/\[(?:[^[\]#]{1,40}\s)?#\s?(\d{1,12})\]/gu)].map(([, id]) => Number(id)))]
    .filter((id) => id > 0)
    .slice(0, maxNumbers)

/** The subject of a reply with the number of its record, behind its first `Re:`; one that has it already stays. */
export function withNumber(subject: string, form: string | undefined, id: number): string {
  if (form === undefined || numbersIn(subject).includes(id)) return subject
  const [, re = '', rest = subject] = /^(re:\s*)?(.*)$/isu.exec(subject) ?? []
  return `${re === '' ? '' : 'Re: '}${form.replace('#', `#${id}`)} ${rest}`.trimEnd()
}
