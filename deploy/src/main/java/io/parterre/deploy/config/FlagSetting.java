package io.parterre.deploy.config;

/**
 * A value from the command line.
 *
 * @param flag as it was typed, to tell where the value came from
 */
public record FlagSetting(String flag, String key, String text) {}
