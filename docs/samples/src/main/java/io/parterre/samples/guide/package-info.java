/**
 * The patterns of the table design guide, one class each, on the guide's own example: departments
 * and their employees. Each class is given the table it works on and shows which keys it chose and
 * which single query or batch that choice buys. Start with {@link Company}.
 */
package io.parterre.samples.guide;
