/** One entry of Vite's manifest, as far as it is read here. */
type Chunk = {
  file: string;
  name?: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
  assets?: string[];
};
export type Manifest = Record<string, Chunk>;
