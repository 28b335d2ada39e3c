import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, messageOf, type Problem } from '../../kernel/failures/sentence.ts'

/** Collects what is wrong by the path that it is about, for an Invalid. */
export class ErrorList {
  readonly problems: FieldErrors = byName()
  /** The same in English. */
  readonly errors: Record<string, string[]> = byName()

  add(path: string, problem: Problem): void {
    const [known, said] = [this.problems[path], this.errors[path]]
    if (known) known.push(problem)
    else this.problems[path] = [problem]
    if (said) said.push(messageOf(problem))
    else this.errors[path] = [messageOf(problem)]
  }

  get any(): boolean {
    return Object.keys(this.problems).length > 0
  }
}
