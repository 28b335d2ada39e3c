import * as z from 'zod'
import { maxColorCharacters } from '../../kernel/limits/tables.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'

/** The names of colours in CSS (CSS Color 4, 6.1). */
const names =
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue
  chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey
  darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
  darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen
  fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki
  lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen
  lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime
  limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
  mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
  olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
  powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver
  skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white
  whitesmoke yellow yellowgreen`.split(/\s+/)
const known: ReadonlySet<string> = new Set(names)
const hexadecimal = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i

/** A colour that goes into styles of pages as it is: in hexadecimal digits, or by its name in CSS. */
export const Color = z
  .string()
  .max(maxColorCharacters)
  .refine((text) => hexadecimal.test(text) || known.has(text.toLowerCase()), {
    error: ({ input }) =>
      `Use a colour such as #1677ff, or the name of one such as blue.${typeof input === 'string' ? didYouMean(input.toLowerCase(), names) : ''}`,
  })
  .meta({ description: 'Hexadecimal, such as `#1677ff`, or a name of CSS, such as `blue`.' })
