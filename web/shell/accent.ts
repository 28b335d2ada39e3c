/** Shades of a color that can be read, for one color scheme. */
export interface Accent {
  /** Of buttons and marks: the color itself, unless it could not be seen on the surface they lie on. */
  readonly fill: string
  /** Of what is written on it. */
  readonly onFill: string
  /** Where the pointer is: away from what is written on it. */
  readonly hover: string
  /** Of links and other texts in the color, on any surface of the app. */
  readonly text: string
}

type Rgb = readonly [red: number, green: number, blue: number]
type Scheme = 'light' | 'dark'

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]

/** What WCAG 2.2 asks for of texts (1.4.3); a fill is known by what is written on it, but has to be seen. */
const least = { text: 4.5, fill: 1.2 }

/** What lies below accents, as `theme.css` has it: surfaces, and how much of the accent they are mixed with when chosen. */
const grounds: Readonly<
  Record<Scheme, { readonly surfaces: readonly Rgb[]; readonly share: number; readonly away: Rgb }>
> = {
  light: { surfaces: [white, [246, 247, 249], [238, 241, 246]], share: 0.18, away: black },
  dark: {
    surfaces: [
      [28, 32, 40],
      [20, 23, 29],
      [38, 43, 53],
    ],
    share: 0.28,
    away: white,
  },
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((one, at) => Math.round(one * (1 - share) + (b[at] as number) * share)) as unknown as Rgb

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((one) => {
    const part = one / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How well two colors can be told apart, from 1 to 21 (WCAG 2.2). */
export function contrast(a: string, b: string): number {
  return contrastOf(read(a), read(b))
}

function contrastOf(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other)
  return (high + 0.05) / (low + 0.05)
}

const read = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb
const write = (color: Rgb): string => `#${color.map((one) => one.toString(16).padStart(2, '0')).join('')}`

/** The color as it is, or as little nearer to `away` as makes it stand out from each ground. */
function standOut(color: Rgb, backgrounds: readonly Rgb[], away: Rgb, ratio: number): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const nearer = mix(color, away, share)
    if (backgrounds.every((one) => contrastOf(nearer, one) >= ratio)) return nearer
  }
  return away
}

/** The shades of a company's color (`#rrggbb`) for light or dark. */
export function accentOf(color: string, scheme: Scheme): Accent {
  const { surfaces, share, away } = grounds[scheme]
  const fill = standOut(read(color), surfaces, away, least.fill)
  const isDark = contrastOf(fill, white) >= contrastOf(fill, black) || contrastOf(fill, white) >= least.text
  return {
    fill: write(fill),
    onFill: isDark ? '#ffffff' : '#000000',
    hover: write(mix(fill, isDark ? black : white, 0.12)),
    text: write(
      standOut(fill, [...surfaces, ...surfaces.map((surface) => mix(surface, fill, share))], away, least.text),
    ),
  }
}

/** Shows the app in the color of a company; undefined: in its own. */
export function showAccent(color: string | undefined): void {
  const { style } = document.documentElement
  for (const scheme of ['light', 'dark'] as const)
    for (const [name, shade] of Object.entries(color === undefined ? nothing : accentOf(color, scheme)))
      if (shade === undefined) style.removeProperty(`--company-${name}-${scheme}`)
      else style.setProperty(`--company-${name}-${scheme}`, shade)
}
const nothing = { fill: undefined, onFill: undefined, hover: undefined, text: undefined }
