import { maxDecisionCellCharacters } from '../../../kernel/limits/decisions.ts'
import { shown } from '../../../kernel/text/did-you-mean.ts'
import type { Feel } from '../../../tables/formulas/service.ts'
import type { TestCell, ValueCell } from './model.ts'
import type { NameBook } from './names.ts'
import type { DmnElement } from './read-dmn.ts'

/** Reads the cells of one decision, and collects the names that its expressions use. */
export function openCells(feel: Feel, names: NameBook, report: (problem: string) => void) {
  const used = new Set<string>()
  const useNamesOf = (source: string, where: string): boolean => {
    const compiled = feel.compileExpression(source)
    const [problem] = compiled.problems
    if (problem !== undefined) report(`${where}: ${feel.inCellWords(problem)}.`)
    for (const name of compiled.names) if (name !== feel.testedName) used.add(names.nameOf(name))
    return problem === undefined
  }

  /** The text of an element in FEEL; undefined when it may not be used. */
  function textIn(element: DmnElement | undefined, where: string): string | undefined {
    const { expressionLanguage: language, importedValues } = element ?? {}
    if (language !== undefined && !isFeel(language)) {
      report(`${where}: the language ${shown(language)} is not supported; expressions are written in FEEL.`)
      return undefined
    }
    if (importedValues !== undefined) {
      report(`${where}: imported values are not supported; write the text itself.`)
      return undefined
    }
    const text = (element?.text ?? '').trim()
    if (text.length <= maxDecisionCellCharacters) return text
    report(`${where}: the text is longer than ${maxDecisionCellCharacters} characters.`)
    return undefined
  }

  return {
    used: used as ReadonlySet<string>,

    /** Tests; null for any value, and for those that may not be used. */
    tests(element: DmnElement | undefined, where: string): TestCell | null {
      const text = textIn(element, where)
      if (text === undefined) return null
      const { problem, isAny, isNegated, tests, source } = feel.readUnaryTests(names.translate(text))
      if (problem !== undefined) {
        report(`${where}: ${shown(text)} cannot be read: ${problem}.`)
        return null
      }
      if (isAny) return null
      if (tests === undefined && !useNamesOf(source, where)) return null
      return { text, source, ...(isNegated && { isNegated: true as const }), ...(tests && { tests }) }
    },

    /** An expression; an empty one is null. */
    value(element: DmnElement | undefined, where: string): ValueCell {
      const text = textIn(element, where)
      if (text === undefined || text === '') return { text: '', source: 'null', constant: null }
      const source = names.translate(text)
      const constant = feel.constantOf(source)
      if (constant !== undefined) return { text, source, constant }
      useNamesOf(source, where)
      return { text, source }
    },
  }
}
export type Cells = ReturnType<typeof openCells>

const isFeel = (language: string): boolean =>
  /^(?:s-?)?feel$/i.test(language.trim()) ||
  /^https?:\/\/www\.omg\.org\/spec\/(?:DMN\/\d{8}\/S?-?FEEL|FEEL\/\d{8})\/?$/i.test(language.trim())
