import { describe } from 'vitest'
import { flows } from '../../../../make/processes-engine.ts'
import { conforms } from './runner.ts'

describe('exclusive gateways', () => {
  conforms({
    'take the first flow whose condition holds': {
      process: `<startEvent id="s"/><exclusiveGateway id="g"/><userTask id="a"/><userTask id="b"/><userTask id="c"/>${flows('s -> g', 'g -> a if x > 5', 'g -> b if x > 1', 'g -> c if x > 0')}`,
      variables: { x: 3 },
      then: [
        ['start', 's g | b'],
        ['complete b', 'b | done'],
      ],
    },
  })
})
