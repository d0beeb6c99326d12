/**
 * Feeds parsers and server with inputs that are almost right. Inputs come from a kept corpus,
 * {@code src/test/resources/fuzz}, and are changed by chance from a seed: the same seed makes the
 * same inputs in the same order. Start with {@link io.parterre.frontend.fuzz.FuzzRun}.
 */
package io.parterre.frontend.fuzz;
