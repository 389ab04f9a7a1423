// GNUstep's NSPredicate beside ours: its answers to the cases, and its speed.
//
// usage: predicates answer         reads one case of predicate-cases.jsonl, prints its answer
//        predicates measure FORMAT COUNT   prints the matches and the nanoseconds a dictionary
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <time.h>

static id value(id json) {
    if ([json isKindOfClass: [NSDictionary class]]) {
        NSString *date = [json objectForKey: @"$date"];
        if (date != nil) {
            NSDateFormatter *formatter = [[NSDateFormatter alloc] init];
            [formatter setDateFormat: @"yyyy-MM-dd'T'HH:mm:ss'Z'"];
            [formatter setTimeZone: [NSTimeZone timeZoneForSecondsFromGMT: 0]];
            return [formatter dateFromString: date];
        }
        NSMutableDictionary *result = [NSMutableDictionary dictionary];
        for (NSString *key in json) {
            [result setObject: value([json objectForKey: key]) forKey: key];
        }
        return result;
    }
    if ([json isKindOfClass: [NSArray class]]) {
        NSMutableArray *result = [NSMutableArray array];
        for (id member in json) [result addObject: value(member)];
        return result;
    }
    return json;
}

static const char *answer(NSDictionary *row) {
    NSPredicate *predicate = nil;
    @try {
        NSArray *arguments = value([row objectForKey: @"args"]);
        predicate = [NSPredicate predicateWithFormat: [row objectForKey: @"format"]
                                       argumentArray: arguments];
    } @catch (NSException *error) {
        return "parse-error";
    }
    if (predicate == nil) return "parse-error";
    @try {
        id object = value([row objectForKey: @"object"]);
        NSDictionary *variables = value([row objectForKey: @"vars"]);
        BOOL isTrue = variables == nil
            ? [predicate evaluateWithObject: object]
            : [predicate evaluateWithObject: object substitutionVariables: variables];
        return isTrue ? "true" : "false";
    } @catch (NSException *error) {
        return "eval-error";
    }
}

static int answerCase(void) {
    NSData *line = [[NSFileHandle fileHandleWithStandardInput] readDataToEndOfFile];
    NSDictionary *row = [NSJSONSerialization JSONObjectWithData: line options: 0 error: NULL];
    puts(answer(row));
    return 0;
}

/// The same dictionaries as in the Swift program beside this one.
static NSArray *dictionaries(int count) {
    NSMutableArray *all = [NSMutableArray array];
    for (int number = 0; number < count; number++) {
        [all addObject: [NSDictionary dictionaryWithObjectsAndKeys:
            [NSString stringWithFormat: @"note %d.md", number], @"name",
            [NSNumber numberWithInt: number * 7919 % 100000], @"bytes",
            [NSNumber numberWithBool: number % 3 == 0], @"favorite",
            number % 2 == 0 ? @"Home" : @"Work", @"notebook", nil]];
    }
    return all;
}

static double processorNanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static int measure(const char *format, int count) {
    NSArray *objects = dictionaries(count);
    NSPredicate *predicate = [NSPredicate predicateWithFormat:
        [NSString stringWithUTF8String: format] argumentArray: [NSArray array]];
    double best = 0;
    int matches = 0;
    for (int round = 0; round < 3; round++) {
        NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
        double begun = processorNanoseconds();
        matches = 0;
        for (id object in objects) matches += [predicate evaluateWithObject: object];
        double spent = processorNanoseconds() - begun;
        [pool release];
        if (round == 0 || spent < best) best = spent;
    }
    printf("%d %.0f\n", matches, best / count);
    return 0;
}

int main(int argc, char **argv) {
    [[NSAutoreleasePool alloc] init];
    if (argc == 2 && strcmp(argv[1], "answer") == 0) return answerCase();
    if (argc == 4 && strcmp(argv[1], "measure") == 0) return measure(argv[2], atoi(argv[3]));
    fputs("usage: predicates answer | predicates measure FORMAT COUNT\n", stderr);
    return 2;
}
