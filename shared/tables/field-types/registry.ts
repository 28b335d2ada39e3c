import type { AnyFieldType } from './declaration.ts'
import { autoNumber } from './types/auto-number.ts'
import { boolean } from './types/boolean.ts'
import { multiValueList } from './types/choice/multi-value-list.ts'
import { stateModel } from './types/choice/state-model.ts'
import { valueList } from './types/choice/value-list.ts'
import { computed } from './types/derived/computed.ts'
import { rollup } from './types/derived/rollup.ts'
import { file } from './types/file/file.ts'
import { image } from './types/file/image.ts'
import { json } from './types/json.ts'
import { decimal } from './types/number/decimal.ts'
import { duration } from './types/number/duration.ts'
import { float } from './types/number/float.ts'
import { integer } from './types/number/integer.ts'
import { point } from './types/point.ts'
import { company } from './types/reference/company.ts'
import { modelList } from './types/reference/model-list.ts'
import { orgUnit } from './types/reference/org-unit.ts'
import { user } from './types/reference/user.ts'
import { email } from './types/text/email.ts'
import { phone } from './types/text/phone.ts'
import { text } from './types/text/text.ts'
import { textarea } from './types/text/textarea.ts'
import { url } from './types/text/url.ts'
import { date } from './types/time/date.ts'
import { datetime } from './types/time/datetime.ts'

/** The field types by name, in the order in which messages list them. */
export const registry = {
  text,
  textarea,
  integer,
  float,
  boolean,
  date,
  datetime,
  value_list: valueList,
  state_model: stateModel,
  user,
  model_list: modelList,
  company,
  org_unit: orgUnit,
  file,
  image,
  point,
  email,
  url,
  phone,
  duration,
  computed,
  rollup,
  decimal,
  multi_value_list: multiValueList,
  json,
  auto_number: autoNumber,
} as const satisfies Readonly<Record<string, AnyFieldType>>
