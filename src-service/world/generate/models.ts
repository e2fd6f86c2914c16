/** The use of a device, which decides the number, the place and the name. */
export type Kind = 'bar' | 'controller' | 'phone' | 'personal'

export type Model = {
  hardwareModel: string
  hardwareFamily: string
  kind: Kind
  /** First three parts of the software versions in use; the newest is first. */
  versions: readonly string[]
  /** Relative frequency of this model among its kind. */
  weight: number
}

/** Typical models in meeting rooms of this field. */
export const models: readonly Model[] = [
  {
    hardwareModel: 'Studio X30',
    hardwareFamily: 'Studio X Series',
    kind: 'bar',
    versions: ['4.6.2', '4.5.0', '4.3.2'],
    weight: 18,
  },
  {
    hardwareModel: 'Studio X50',
    hardwareFamily: 'Studio X Series',
    kind: 'bar',
    versions: ['4.6.2', '4.5.0', '4.3.2'],
    weight: 20,
  },
  {
    hardwareModel: 'Studio X52',
    hardwareFamily: 'Studio X Series',
    kind: 'bar',
    versions: ['4.6.2', '4.6.1', '4.5.0'],
    weight: 26,
  },
  {
    hardwareModel: 'Studio X70',
    hardwareFamily: 'Studio X Series',
    kind: 'bar',
    versions: ['4.6.2', '4.6.1', '4.5.0'],
    weight: 14,
  },
  {
    hardwareModel: 'Studio X72',
    hardwareFamily: 'Studio X Series',
    kind: 'bar',
    versions: ['4.6.2', '4.6.1'],
    weight: 5,
  },
  {
    hardwareModel: 'Studio E70',
    hardwareFamily: 'Studio E Series',
    kind: 'bar',
    versions: ['1.9.1', '1.8.0'],
    weight: 7,
  },
  { hardwareModel: 'G7500', hardwareFamily: 'G7500', kind: 'bar', versions: ['4.6.2', '4.5.0'], weight: 6 },
  {
    hardwareModel: 'Studio USB',
    hardwareFamily: 'Studio USB Series',
    kind: 'bar',
    versions: ['1.5.0', '1.4.0'],
    weight: 4,
  },
  {
    hardwareModel: 'TC8',
    hardwareFamily: 'TC Series',
    kind: 'controller',
    versions: ['6.2.1', '6.1.0', '5.4.2'],
    weight: 40,
  },
  { hardwareModel: 'TC10', hardwareFamily: 'TC Series', kind: 'controller', versions: ['6.2.1', '6.1.0'], weight: 60 },
  { hardwareModel: 'CCX 400', hardwareFamily: 'CCX Series', kind: 'phone', versions: ['9.2.0', '8.1.3'], weight: 14 },
  {
    hardwareModel: 'CCX 505',
    hardwareFamily: 'CCX Series',
    kind: 'phone',
    versions: ['9.2.0', '9.1.1', '8.1.3'],
    weight: 20,
  },
  { hardwareModel: 'CCX 600', hardwareFamily: 'CCX Series', kind: 'phone', versions: ['9.2.0', '9.1.1'], weight: 16 },
  { hardwareModel: 'Trio C60', hardwareFamily: 'Trio Series', kind: 'phone', versions: ['9.2.0', '8.1.3'], weight: 18 },
  { hardwareModel: 'Trio 8500', hardwareFamily: 'Trio Series', kind: 'phone', versions: ['7.2.6', '5.9.5'], weight: 6 },
  {
    hardwareModel: 'Edge E350',
    hardwareFamily: 'Edge E Series',
    kind: 'phone',
    versions: ['8.3.1', '8.2.0'],
    weight: 18,
  },
  { hardwareModel: 'VVX 450', hardwareFamily: 'VVX Series', kind: 'phone', versions: ['6.4.6', '6.4.3'], weight: 8 },
  {
    hardwareModel: 'Voyager Focus 2',
    hardwareFamily: 'Voyager Series',
    kind: 'personal',
    versions: ['1.12.3', '1.10.0'],
    weight: 34,
  },
  {
    hardwareModel: 'Voyager Free 60',
    hardwareFamily: 'Voyager Series',
    kind: 'personal',
    versions: ['2.4.1'],
    weight: 22,
  },
  {
    hardwareModel: 'Voyager 4320',
    hardwareFamily: 'Voyager Series',
    kind: 'personal',
    versions: ['1.8.2', '1.6.0'],
    weight: 26,
  },
  { hardwareModel: 'Sync 40', hardwareFamily: 'Sync Series', kind: 'personal', versions: ['1.3.5'], weight: 18 },
]
