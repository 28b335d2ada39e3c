const sections: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]
const entity = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});/y

/**
 * Why an XML document is refused before it is parsed, for what a lenient parser would accept: declarations of types and
 * entities, unknown entities, sections that are never closed. Undefined: it is not. Linear time.
 */
export function xmlProblem(xml: string): string | undefined {
  const control = xml.search(/(?![\t\n\r\u007f-\u009f])\p{Cc}/u)
  if (control !== -1)
    return `The document is not well-formed XML: a control character at ${lineAndColumn(xml, control)}.`
  const mark = /[<&]/g
  for (let found = mark.exec(xml); found !== null; found = mark.exec(xml)) {
    const at = found.index
    const section = sections.find(([opening]) => xml.startsWith(opening, at))
    if (section !== undefined) {
      const end = xml.indexOf(section[1], at + section[0].length)
      if (end === -1)
        return `The document is not well-formed XML: ${section[0]} is never closed (${lineAndColumn(xml, at)}).`
      mark.lastIndex = end + section[1].length
    } else if (xml.startsWith('<!', at)) {
      return `A document type or entity declaration is not allowed (${lineAndColumn(xml, at)}).`
    } else if (xml.startsWith('&', at)) {
      entity.lastIndex = at
      if (!entity.test(xml))
        return `The document is not well-formed XML: an unknown entity at ${lineAndColumn(xml, at)}; an ampersand is written &amp;.`
    }
  }
  return undefined
}

function lineAndColumn(xml: string, offset: number): string {
  const lines = xml.slice(0, offset).split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
