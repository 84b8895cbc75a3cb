/** Return enough of a model's file name to tell it from others. */
export const modelName = (file: string) => file.replace(/^covan-(.{1,6}).*\.tar\.gz$/, "$1");
