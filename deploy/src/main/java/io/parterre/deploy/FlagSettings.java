package io.parterre.deploy;

import io.parterre.deploy.config.FlagSetting;
import java.util.List;

/** Flags of a command that set keys of the configuration. */
interface FlagSettings {
    /** What was typed, in any order. */
    List<FlagSetting> settings();

    /** A flag's setting, if it was typed. */
    static List<FlagSetting> of(String flag, String key, String value) {
        return value == null ? List.of() : List.of(new FlagSetting(flag, key, value));
    }
}
